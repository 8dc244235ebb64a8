/* What the telephone says of photographs whose camera wrote nothing into them: when each was written, and where it stands now. */
"use strict";
const files = document.getElementById("id_files");
const times = document.getElementById("id_phone_times");
const lat = document.getElementById("id_phone_lat");
const lon = document.getElementById("id_phone_lon");
const asked = document.getElementById("where-asked");
const said = document.getElementById("where-said");

files?.addEventListener("change", () => {
  times.value = JSON.stringify(Object.fromEntries([...files.files].map((one) => [one.name, one.lastModified])));
});

if (asked && navigator.geolocation && window.isSecureContext) {
  asked.hidden = false;
  asked.querySelector("[data-here]").addEventListener("click", () => {
    said.hidden = false;
    said.textContent = "Looking where this is";
    navigator.geolocation.getCurrentPosition(
      (found) => {
        lat.value = found.coords.latitude.toFixed(6);
        lon.value = found.coords.longitude.toFixed(6);
        said.textContent = `Taken at ${lat.value}, ${lon.value}, within ${Math.round(found.coords.accuracy * 3.28084)} ft`;
      },
      () => { said.textContent = "This telephone does not say where it is. The photographs are kept without a place."; },
      { enableHighAccuracy: true, timeout: 20000 },
    );
  });
}
