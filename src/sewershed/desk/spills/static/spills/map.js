/* The map of a call: what the record knows and the town laid beside it, and a pin. The list beside it does the same without it. */
const pin = document.getElementById("pin");
const box = document.getElementById("map");
const form = document.getElementById("call-form");
const where = document.getElementById("id_where");
const pick = document.getElementById("id_pick");
const point = document.getElementById("id_point");
const legend = document.getElementById("map-legend");
const said = document.getElementById("map-said");
const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const LABELED = ["station", "place"]; // a spill is named when it is pressed

const shapes = new Map(); // things with a point, by id
let map, marker, library, bounds;

/* Latitude and longitude as typed, or nothing. */
const typed = () => {
  const parts = point.value.split(/[\s,]+/).filter(Boolean).map(Number);
  return parts.length === 2 && parts.every(Number.isFinite) && Math.abs(parts[0]) <= 90 && Math.abs(parts[1]) <= 180 ? [parts[1], parts[0]] : null;
};

const tell = (text) => { said.textContent = text; };

function place(at, { move = false } = {}) {
  if (!map) return;
  if (!at) { marker?.remove(); marker = undefined; return; }
  if (!marker) {
    const drop = document.createElement("div");
    drop.className = "map__pin";
    marker = new library.Marker({ element: drop, anchor: "bottom" });
  }
  marker.setLngLat(at).addTo(map);
  if (move) map.jumpTo({ center: at, zoom: Math.max(map.getZoom(), 15) });
}

/* A place was pinned, on a thing or beside all of them. */
function pinned(at, thing) {
  point.value = `${at[1].toFixed(6)}, ${at[0].toFixed(6)}`;
  const has = thing && [...pick.options].some((one) => one.value === thing.id);
  pick.value = has ? thing.id : "";
  if (thing && thing.type !== "spill" && !where.value.trim()) where.value = thing.label;
  tell(thing ? `Pinned on ${thing.label}` : `Pinned at ${point.value}`);
  place(at);
  form.dispatchEvent(new Event("pinned"));
}

/* A mark of a shape of its own, so that they differ without their color, too. */
function image(draw, color) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const pen = canvas.getContext("2d");
  pen.fillStyle = color;
  pen.strokeStyle = token("--paper");
  pen.lineWidth = 3;
  pen.beginPath();
  draw(pen);
  pen.closePath();
  pen.fill();
  pen.stroke();
  return pen.getImageData(0, 0, 32, 32);
}
const square = (pen) => pen.rect(5, 5, 22, 22);
const tip = (pen) => { pen.moveTo(16, 4); pen.lineTo(29, 27); pen.lineTo(3, 27); };

function stretch(coordinates) {
  if (typeof coordinates[0] === "number") bounds.extend(coordinates);
  else coordinates.forEach(stretch);
}

async function read(url) {
  const answer = await fetch(url, { headers: { Accept: "application/geo+json" } });
  return answer.ok ? answer.json() : { type: "FeatureCollection", features: [] };
}

function lay(name, data, line, fill) {
  map.addSource(name, { type: "geojson", data });
  map.addLayer({ id: `${name}-fill`, type: "fill", source: name, filter: ["==", ["geometry-type"], "Polygon"], paint: { "fill-color": fill, "fill-opacity": 0.25 } });
  map.addLayer({ id: `${name}-line`, type: "line", source: name, filter: ["!=", ["geometry-type"], "Point"], paint: { "line-color": line, "line-width": 1.75 }, layout: { "line-cap": "round" } });
}

async function start() {
  if (map) return;
  const [text, ...layers] = await Promise.all([read(box.dataset.shapes), ...Object.keys(box.dataset).filter((one) => one.startsWith("layer")).map((one) => read(box.dataset[one]))]);
  if (!text.features.length && !layers.some((one) => one.features.length)) return;
  try {
    library = await import(box.dataset.script);
    legend.hidden = box.hidden = false;
    map = new library.Map({
      container: "map-canvas", attributionControl: false, pitchWithRotate: false, dragRotate: false, renderWorldCopies: false, maxZoom: 20,
      style: { version: 8, sources: {}, layers: [{ id: "paper", type: "background", paint: { "background-color": "#fbfbfa" } }] },
      locale: { "Map.Title": "Map of the record. The list beside it has the same places" },
    });
  } catch {
    legend.hidden = box.hidden = true; // no WebGL here: the list remains
    map = undefined;
    return;
  }
  map.touchZoomRotate.disableRotation();
  bounds = new library.LngLatBounds();
  for (const one of [text, ...layers]) for (const feature of one.features) stretch(feature.geometry.coordinates);
  for (const one of text.features) if (one.geometry.type === "Point") shapes.set(one.properties.id, one);
  await map.once("load");
  layers.forEach((one, number) => {
    lay(`town-${number}`, one, "#b9bcb8", "#c9dceb");
    map.addLayer({ id: `town-${number}-dots`, type: "circle", source: `town-${number}`, filter: ["==", ["geometry-type"], "Point"], paint: { "circle-radius": 2.5, "circle-color": "#8d9297" } });
    for (const [kind, placement] of [["LineString", "line"], ["Polygon", "point"], ["Point", "point"]]) {
      map.addLayer({ id: `town-${number}-${kind}`, type: "symbol", source: `town-${number}`, filter: ["all", ["==", ["geometry-type"], kind], ["!=", ["get", "label"], ""]], layout: { "text-field": ["get", "label"], "text-font": ["Public Sans"], "text-size": 11, "symbol-placement": placement }, paint: { "text-color": "#5c5c58", "text-halo-color": "#fbfbfa", "text-halo-width": 1.5 } });
    }
  });
  lay("record", text, "#62676d", token("--accent"));
  const dot = ["all", ["==", ["geometry-type"], "Point"], ["!", ["in", ["get", "type"], ["literal", ["station", "spill"]]]]];
  map.addLayer({ id: "dots", type: "circle", source: "record", filter: dot, paint: { "circle-radius": 4, "circle-color": token("--paper"), "circle-stroke-color": "#62676d", "circle-stroke-width": 1.5 } });
  map.addImage("square", image(square, token("--ink")), { pixelRatio: 2 });
  map.addImage("tip", image(tip, token("--overdue")), { pixelRatio: 2 });
  for (const [type, icon] of [["spill", "tip"], ["station", "square"]]) {
    map.addLayer({ id: type, type: "symbol", source: "record", filter: ["==", ["get", "type"], type], layout: { "icon-image": icon, "icon-allow-overlap": true } });
  }
  map.addLayer({ id: "names", type: "symbol", source: "record", filter: ["in", ["get", "type"], ["literal", LABELED]], layout: { "text-field": ["get", "label"], "text-font": ["Public Sans"], "text-size": 12, "text-anchor": "left", "text-offset": [0.9, 0], "text-max-width": 14 }, paint: { "text-color": token("--ink"), "text-halo-color": "#fbfbfa", "text-halo-width": 2 } });
  whole();
  const here = typed();
  if (here) place(here, { move: true });
  map.on("click", (event) => {
    const [x, y] = [event.point.x, event.point.y];
    const [found] = map.queryRenderedFeatures([[x - 9, y - 9], [x + 9, y + 9]], { layers: ["station", "spill", "dots"] });
    if (found) pinned(shapes.get(found.properties.id).geometry.coordinates, found.properties);
    else pinned([event.lngLat.lng, event.lngLat.lat]);
  });
  map.once("idle", () => { box.dataset.drawn = "yes"; });
}

function whole() {
  const [right, top] = box.clientWidth > 500 ? [110, 60] : [80, 24]; // room for names and, where it is wide, for the buttons
  map.fitBounds(bounds, { padding: { top, bottom: 32, left: 32, right }, maxZoom: 16, animate: false });
}

if (pin && box) {
  pin.addEventListener("toggle", () => { if (pin.open) start(); });
  if (pin.open) start();
  pick.addEventListener("change", () => {
    const one = shapes.get(pick.value);
    if (!one) return;
    point.value = `${one.geometry.coordinates[1].toFixed(6)}, ${one.geometry.coordinates[0].toFixed(6)}`;
    place(one.geometry.coordinates, { move: true });
    tell(`Pinned on ${one.properties.label}`);
  });
  point.addEventListener("change", () => { const at = typed(); place(at, { move: Boolean(at) }); });
  box.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || !map) return;
    if (button.dataset.zoom) map.easeTo({ zoom: map.getZoom() + Number(button.dataset.zoom), animate: false });
    if ("whole" in button.dataset) whole();
    if ("middle" in button.dataset) pinned(map.getCenter().toArray());
  });
}
