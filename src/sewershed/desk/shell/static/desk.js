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

/* Why opens beside what it explains, where a page has room for it; without this, and for a tab of its own, the link is one. */
document.addEventListener("click", (event) => {
  const panel = document.getElementById("why-panel");
  const link = event.target.closest("a[href]");
  if (!panel || !link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (panel.contains(link)) {
    if (link.closest(".panel__bar")) { event.preventDefault(); panel.close(); }
    return;
  }
  if (!link.pathname.startsWith("/why/")) return;
  event.preventDefault();
  fetch(link.href).then((answer) => answer.text()).then((text) => {
    const answer = new DOMParser().parseFromString(text, "text/html").getElementById("why-answer");
    if (!answer) { location = link.href; return; }
    panel.replaceChildren(document.adoptNode(answer));
    panel.showModal();
    panel.scrollTop = 0;
  });
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

/* In a long contents that scrolls by itself, where the page stands is in sight. */
for (const one of document.querySelectorAll(".tree [aria-current]")) {
  const box = one.closest("ul");
  if (box.scrollHeight > box.clientHeight) box.scrollTop = one.offsetTop - box.offsetTop - box.clientHeight / 3;
}

/* A passkey that was not used is said in the page, not in the console alone. */
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  for (const one of document.querySelectorAll("[data-passkey-said]")) one.hidden = false;
});

/* A table that is wider than its place says so. */
const measured = () => {
  for (const one of document.querySelectorAll("div.plain")) one.toggleAttribute("data-wider", one.scrollWidth > one.clientWidth + 1);
};
measured();
window.addEventListener("resize", measured);
document.addEventListener("htmx:afterSettle", measured);
