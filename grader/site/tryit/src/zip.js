// Zip archives: written without compression, read with or without.

const encoder = new TextEncoder(), decoder = new TextDecoder();
export const LARGEST = 20_000_000; // bytes of an archive, and of all that is read of it
const TOO_LARGE = "What is in this archive is too large.";
const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 255] ^ (sum >>> 8);
  return ~sum >>> 0;
}

function numbers(...pairs) {
  const bytes = [];
  for (const [value, size] of pairs) for (let n = 0; n < size; n++) bytes.push((value >>> (8 * n)) & 255);
  return Uint8Array.from(bytes);
}

/** The bytes of an archive, as a list of pieces for a Blob.  files: {path: text}. */
export function zipped(files) {
  const now = new Date();
  const time = (now.getHours() << 11) | (now.getMinutes() << 5) | (now.getSeconds() >> 1);
  const day = ((now.getFullYear() - 1980) << 9) | ((now.getMonth() + 1) << 5) | now.getDate();
  const pieces = [], directory = [];
  let at = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = encoder.encode(path), data = encoder.encode(text);
    // version, flags (UTF-8 names), stored, time, day, checksum, sizes, lengths of the name and of nothing more
    const common = [[20, 2], [0x800, 2], [0, 2], [time, 2], [day, 2], [crc32(data), 4], [data.length, 4], [data.length, 4], [name.length, 2], [0, 2]];
    const header = numbers([0x04034b50, 4], ...common);
    pieces.push(header, name, data);
    directory.push(numbers([0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), name);
    at += header.length + name.length + data.length;
  }
  const size = directory.reduce((sum, piece) => sum + piece.length, 0), count = directory.length / 2;
  return [...pieces, ...directory, numbers([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [size, 4], [at, 4], [0, 2])];
}

/** {path: text} of an archive.  wanted(path): whether a file is read at all.  Throws an Error that says why not. */
export async function unzipped(buffer, wanted) {
  const view = new DataView(buffer), found = {};
  let end = buffer.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0 || buffer.byteLength > LARGEST) throw new Error("This is no zip archive of the course.");
  let at = view.getUint32(end + 16, true), room = LARGEST;
  for (let n = view.getUint16(end + 10, true); n > 0; n--) {
    const length = view.getUint16(at + 28, true), begin = view.getUint32(at + 42, true);
    const path = decoder.decode(new Uint8Array(buffer, at + 46, length));
    if (wanted(path)) {
      const from = begin + 30 + view.getUint16(begin + 26, true) + view.getUint16(begin + 28, true);
      const data = new Uint8Array(buffer, from, view.getUint32(at + 20, true));
      const whole = view.getUint16(at + 10, true) ? await inflated(data, room) : data;
      if ((room -= whole.length) < 0) throw new Error(TOO_LARGE); // entries may share their bytes
      found[path] = decoder.decode(whole);
    }
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return found;
}

async function inflated(data, room) {
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const pieces = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    pieces.push(value);
    if ((size += value.length) > room) throw new Error(TOO_LARGE);
  }
}
