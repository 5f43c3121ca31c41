// What a picture says of where it comes from, for the smaller picture that a browser draws of it: drawing loses all
// metadata. Kept are credit, copyright and the kind of source in XMP; place, device and people are not.
const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const PHOTOSHOP = "http://ns.adobe.com/photoshop/1.0/";
const DC = "http://purl.org/dc/elements/1.1/";
const EXTENSION = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/";
const SCHEME = "http://cv.iptc.org/newscodes/digitalsourcetype/";
const BY_AI = /digitalsourcetype\/((?:compositeWithT|t)rainedAlgorithmicMedia|compositeSynthetic)/;
const LONGEST = 500;

const line = (text) => (text ?? "").replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim().slice(0, LONGEST);
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function inXmp(text, bytes) {
  const start = text.indexOf("<x:xmpmeta");
  const end = text.indexOf("</x:xmpmeta>", start);
  if (start < 0 || end < 0) return () => "";
  const packet = new TextDecoder().decode(bytes.subarray(start, end + 12));
  const read = new DOMParser().parseFromString(packet, "application/xml");
  const own = [...read.getElementsByTagNameNS(RDF, "RDF")].flatMap((rdf) => [...rdf.children]);
  return (space, name) => {
    for (const one of own) {
      const child = [...one.children].find((inner) => inner.namespaceURI === space && inner.localName === name);
      const value = child?.getAttributeNS(RDF, "resource") || child?.textContent || one.getAttributeNS(space, name);
      if (value?.trim()) return value;
    }
    return "";
  };
}

// Older records of a JPEG: number 110 of the second kind is the credit, 116 the copyright.
function inRecords(text, bytes, number) {
  let at = text.indexOf("8BIM\x04\x04");
  if (at < 0) return "";
  at = text.indexOf("\x1c", at);
  while (at >= 0 && bytes[at] === 0x1c) {
    const length = bytes[at + 3] * 256 + bytes[at + 4];
    const content = bytes.subarray(at + 5, at + 5 + length);
    if (bytes[at + 1] === 2 && bytes[at + 2] === number) {
      try {
        return new TextDecoder("utf-8", { fatal: true }).decode(content);
      } catch {
        return new TextDecoder("latin1").decode(content);
      }
    }
    at += 5 + length;
  }
  return "";
}

// The XMP of a smaller picture; empty when the file says nothing.
export async function originOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // One character for each byte.
  const text = new TextDecoder("latin1").decode(bytes);
  const xmp = inXmp(text, bytes);
  const credit = line(xmp(PHOTOSHOP, "Credit") || inRecords(text, bytes, 110));
  const rights = line(xmp(DC, "rights") || inRecords(text, bytes, 116));
  const named = xmp(EXTENSION, "DigitalSourceType").trim();
  // A manifest of C2PA is readable text, and cannot be kept: it is signed for the larger picture.
  const type = (text.includes("jumb") && BY_AI.exec(text)?.[1]) || /^(?:.*[/:])?(\w+)\/?$/.exec(named)?.[1] || "";
  const parts = [
    credit && `<photoshop:Credit>${escaped(credit)}</photoshop:Credit>`,
    rights && `<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${escaped(rights)}</rdf:li></rdf:Alt></dc:rights>`,
    type && `<Iptc4xmpExt:DigitalSourceType>${SCHEME}${type}</Iptc4xmpExt:DigitalSourceType>`,
  ].join("");
  const spaces = `xmlns:photoshop="${PHOTOSHOP}" xmlns:dc="${DC}" xmlns:Iptc4xmpExt="${EXTENSION}"`;
  const described = `<rdf:Description rdf:about="" ${spaces}>${parts}</rdf:Description>`;
  return parts && `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${RDF}">${described}</rdf:RDF></x:xmpmeta>`;
}

const bytesOf = (text) => new TextEncoder().encode(text);
const long = (number) => new Uint8Array([number >>> 24, number >>> 16, number >>> 8, number]);
const short = (number, count) => new Uint8Array([number, number >>> 8, number >>> 16, number >>> 24]).subarray(0, count);

function checksum(parts) {
  let sum = -1;
  for (const byte of parts.flatMap((part) => [...part])) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return long(~sum);
}

function inJpeg(bytes, xmp) {
  const content = [bytesOf("http://ns.adobe.com/xap/1.0/\0"), bytesOf(xmp)];
  const length = 2 + content[0].length + content[1].length;
  // After the first segment, JFIF.
  const place = 4 + bytes[4] * 256 + bytes[5];
  return [bytes.subarray(0, place), new Uint8Array([0xff, 0xe1, length >>> 8, length]), ...content, bytes.subarray(place)];
}

function inPng(bytes, xmp) {
  const content = [bytesOf("iTXtXML:com.adobe.xmp\0\0\0\0\0"), bytesOf(xmp)];
  const length = content[0].length - 4 + content[1].length;
  return [bytes.subarray(0, -12), long(length), ...content, checksum(content), bytes.subarray(-12)];
}

function inWebp(bytes, xmp, { width, height }) {
  const content = bytesOf(xmp);
  const chunk = [bytesOf("XMP "), short(content.length, 4), content, new Uint8Array(content.length % 2)];
  const isExtended = String.fromCharCode(...bytes.subarray(12, 16)) === "VP8X";
  const own = bytes.slice(isExtended ? 30 : 12);
  // Bit 4 of the flags is XMP, bit 16 transparency, which the simple lossless form says in its own header.
  const isClear = String.fromCharCode(...own.subarray(0, 4)) === "VP8L" && (own[12] & 16) > 0;
  const flags = (isExtended ? bytes[20] : isClear ? 16 : 0) | 4;
  const head = [bytesOf("VP8X"), short(10, 4), short(flags, 4), short(width - 1, 3), short(height - 1, 3)];
  const parts = [bytesOf("WEBP"), ...head, own, ...chunk];
  return [bytesOf("RIFF"), short(parts.reduce((sum, part) => sum + part.length, 0), 4), ...parts];
}

// A drawn picture with that XMP.
export async function withOrigin(blob, xmp, size) {
  const put = { "image/jpeg": inJpeg, "image/png": inPng, "image/webp": inWebp }[blob.type];
  return xmp && put ? new Blob(put(new Uint8Array(await blob.arrayBuffer()), xmp, size), { type: blob.type }) : blob;
}
