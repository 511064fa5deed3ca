// JSON with line breaks, without parsing it: numbers keep their digits, keys their order, and any depth is fine.

const DEEPEST_INDENT = 40;
const LONGEST = 400_000;

export function indented(text) {
  let out = '';
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (quoted) {
      out += c;
      if (c === '\\') {
        out += text[++at] ?? '';
      } else if (c === '"') {
        quoted = false;
      }
    } else if (c === '"') {
      quoted = true;
      out += c;
    } else if (c === '{' || c === '[') {
      depth++;
      out += c + (/^\s*[\]}]/.test(text.slice(at + 1, at + 20)) ? '' : line(depth));
    } else if (c === '}' || c === ']') {
      depth--;
      out += (/[[{]$/.test(out.slice(-1)) ? '' : line(depth)) + c;
    } else if (c === ',') {
      out += c + line(depth);
    } else if (c === ':') {
      out += ': ';
    } else if (!/\s/.test(c)) {
      out += c;
    }
    if (out.length > LONGEST) {
      return out + '\n…';
    }
  }
  return out;
}

function line(depth) {
  return '\n' + '  '.repeat(Math.max(0, Math.min(depth, DEEPEST_INDENT)));
}
