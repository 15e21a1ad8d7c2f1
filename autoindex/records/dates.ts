const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):?(\d{2}))?)?$/;
const LONGEST = 40;
/** `java.time.ZoneOffset` ends at 18 hours. */
const LONGEST_OFFSET_MINUTES = 18 * 60;

/**
 * Whether a text is a date that every reader of `strict_date_optional_time` takes: a day that is in the calendar, a
 * time that is on the clock. `Date.parse` is of no use here: it takes February 30 for March 1.
 */
export function isDate(text: string): boolean {
  const match = text.length <= LONGEST ? ISO_DATE.exec(text) : null;
  if (!match) return false;
  const [year, month, day, hour, minute, second, offsetHours, offsetMinutes] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (month! < 1 || month! > 12 || day! < 1 || day! > daysOf(year!, month!)) return false;
  if (hour! > 23 || minute! > 59 || second! > 59 || offsetMinutes! > 59) return false;
  return offsetHours! * 60 + offsetMinutes! <= LONGEST_OFFSET_MINUTES;
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
