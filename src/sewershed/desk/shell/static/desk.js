/* What the desk adds to plain pages. Each page works without it. */
"use strict";

/* Menus and the as-of form close with Escape, or when somebody goes on elsewhere. */
const opened = () => document.querySelectorAll("details.asof[open], details.menu[open]");
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const one of opened()) {
    const had = one.contains(document.activeElement);
    one.open = false;
    if (had) one.querySelector("summary").focus();
  }
});
document.addEventListener("click", (event) => {
  for (const one of opened()) if (!one.contains(event.target)) one.open = false;
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) window.print();
  const copy = event.target.closest("[data-copy-address]");
  if (copy) navigator.clipboard?.writeText(location.href).then(() => { copy.textContent = "Link copied"; });
});

/* A form is sent once, however often its button is pressed; coming back to the page sets it free. */
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

/* What is wrong with a form is read out first. */
document.querySelector("[data-focus]")?.focus();

/* A passkey that was not used is said in the page, not in the console alone. */
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  for (const one of document.querySelectorAll("[data-passkey-said]")) one.hidden = false;
});
