import { EngineError } from "../errors.js";

/** Java's Double.toString: at least one fraction digit, `E` notation outside [1e-3, 1e7). */
export function printDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const magnitude = Math.abs(value);
  if (magnitude === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  if (magnitude >= 1e-3 && magnitude < 1e7) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [mantissa, exponent] = value.toExponential().split("e");
  return `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}

/**
 * java.text.DecimalFormat as far as formats of aggregations go: `0`, `#`, grouping `,`, fraction digits, literal text
 * before and after, `%`, quotes. Rounds half to even.
 */
export function formatDecimal(value: number | bigint, pattern: string): string {
  const [positive, negative] = pattern.split(";");
  const match = /^((?:'[^']*'|[^0#,.'])*)([0#,]*)(?:\.([0#]*))?((?:'[^']*'|[^'])*)$/.exec(positive);
  if (match === null || (match[2] === "" && (match[3] ?? "") === "")) {
    throw new EngineError("invalid_value", `Malformed pattern "${pattern}"`, { format: pattern });
  }
  const unquote = (text: string) => text.replace(/'([^']*)'/g, (_, inner: string) => inner || "'");
  const percent = /%/.test(match[1].replace(/'[^']*'/g, "") + match[4].replace(/'[^']*'/g, ""));
  const number = percent ? Number(value) * 100 : value;
  const fraction = match[3] ?? "";
  const comma = match[2].lastIndexOf(",");
  const digits = decimalDigits(number, {
    minWhole: (match[2].match(/0/g) ?? []).length,
    minFraction: (fraction.match(/0/g) ?? []).length,
    maxFraction: fraction.length,
    group: comma < 0 ? 0 : match[2].length - comma - 1,
  });
  const sign = number < 0 && /[1-9]/.test(digits) ? "-" : "";
  const prefix = sign !== "" && negative !== undefined ? unquote(/^[^0#,.]*/.exec(negative)?.[0] ?? "-") : sign;
  return `${sign !== "" && negative !== undefined ? "" : prefix}${sign !== "" && negative !== undefined ? prefix : unquote(match[1])}${digits}${unquote(match[4])}`;
}

interface DecimalShape {
  minWhole: number;
  minFraction: number;
  maxFraction: number;
  /** Digits per group of the whole part; 0: not grouped. */
  group: number;
}

function decimalDigits(value: number | bigint, shape: DecimalShape): string {
  const text =
    typeof value === "bigint" ? String(value < 0n ? -value : value) : halfEven(Math.abs(value), shape.maxFraction);
  const [rawWhole, rawFraction = ""] = text.split(".");
  let whole = rawWhole.replace(/^0+/, "").padStart(shape.minWhole, "0");
  if (shape.group > 0) whole = whole.replace(new RegExp(`\\B(?=(\\d{${shape.group}})+$)`, "g"), ",");
  const fraction = rawFraction.replace(/0+$/, "").padEnd(shape.minFraction, "0");
  if (whole === "" && fraction === "") whole = "0";
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** Rounds the exact decimal value of a double half to even, as RoundingMode.HALF_EVEN does. */
function halfEven(value: number, digits: number): string {
  const fixed = value.toFixed(Math.min(digits, 100));
  // toFixed rounds exact ties up; a tie is a value whose exact expansion ends in 5 right after the last kept digit.
  const exact = value.toFixed(Math.min(digits + 30, 100));
  const tail = exact.slice(exact.length - 30);
  if (digits + 30 > 100 || !/^50*$/.test(tail)) return fixed;
  const last = Number(fixed[fixed.length - 1]);
  return last % 2 === 0 ? fixed : exact.slice(0, exact.length - 30).replace(/\.$/, "");
}
