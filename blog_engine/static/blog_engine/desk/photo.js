// Uploads photos as the server takes them: HEIC is drawn again where the browser can read it, and large photos are made
// smaller.
const QUALITY = 0.85;
const SIDE = 2560;
const REASONS = { "signed-out": "signedOut", "too-large": "tooLarge", offline: "noNetwork", forbidden: "forbidden" };

// The kind of file by its first bytes; the name can lie.
async function kindOf(file) {
  const bytes = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const text = String.fromCharCode(...bytes);
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG")) return "image/png";
  if (text.startsWith("GIF8")) return "image/gif";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  if (text.slice(4, 8) === "ftyp") {
    const brand = text.slice(8, 12);
    if (brand === "avif" || brand === "avis") return "image/avif";
    if (/^(heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/.test(brand)) return "image/heic";
    return "video";
  }
  if (text.startsWith("%PDF")) return "application/pdf";
  if (/^\s*<(\?xml|svg|!DOCTYPE)/i.test(text)) return "image/svg+xml";
  return file.type;
}

async function drawn(form, file, kind, most) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const made = (type) => new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
  // A photo as PNG is larger than before; a transparent picture has no other format that every reader shows.
  let blob = await made(kind === "image/png" ? "image/png" : "image/jpeg");
  if (blob.size > most) blob = await made("image/webp");
  const { originOf, withOrigin } = await import(form.dataset.originScript);
  blob = await withOrigin(blob, await originOf(file), canvas);
  const ending = { "image/png": ".png", "image/webp": ".webp" }[blob.type] ?? ".jpg";
  const name = file.name.replace(/\.[^.]*$/, "") + ending;
  return new File([blob], name, { type: blob.type });
}

// prepared(FORM, FILE, WORDS): the file as the server takes it, or {refused: words}.
async function prepared(form, file, words) {
  const kind = await kindOf(file);
  const { accept, most, pixels } = JSON.parse(form.dataset.images);
  const size = `${(file.size / 1048576).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 })} MB`;
  if (kind === "image/heic") {
    try {
      return { file: await drawn(form, file, kind, most) };
    } catch {
      return { refused: words.heic.replace("{name}", file.name) };
    }
  }
  if (!accept.includes(kind)) {
    const key = { "image/svg+xml": "svg", "application/pdf": "pdf" }[kind] ?? "noImage";
    return { refused: words[key].replace("{name}", file.name) };
  }
  if (kind === "image/gif") {
    return file.size > most ? { refused: words.tooLargeImage.replace("{name}", file.name).replace("{size}", size) } : { file };
  }
  let isLarge = file.size > most;
  try {
    const picture = await createImageBitmap(file);
    isLarge ||= picture.width * picture.height > pixels;
    picture.close();
    if (isLarge) return { file: await drawn(form, file, kind, most) };
  } catch {
    if (isLarge) return { refused: words.tooLargeImage.replace("{name}", file.name).replace("{size}", size) };
  }
  return { file };
}

// stored(FORM, FILE, WORDS, UPLOAD, SHOW): what the server says of the file that it has now, or why not in the words of
// REFUSED; ISJUDGED if another try would be refused too. SHOW gets the part that is sent.
export async function stored(form, file, words, upload, show) {
  show(0);
  try {
    const ready = await prepared(form, file, words);
    if (ready.refused) return { ...ready, isJudged: true };
    const { ok, outcome, reply } = await upload(form, ready.file, show);
    if (ok) return reply;
    if (reply?.message) return { refused: reply.message, isJudged: true };
    return { refused: `${words.uploadFailed.replace("{name}", file.name)} ${words[REASONS[outcome]] ?? ""}` };
  } catch {
    // The file is gone, or cannot be read.
    return { refused: words.uploadFailed.replace("{name}", file.name) };
  }
}
