/**
 * Why a value of `since:` can be no moment anywhere, whatever a repository has; undefined when git is to be asked. What is
 * written as a day must be one that there is, and git takes no revision that begins with a minus.
 */
export function momentFault(value: string): string | undefined {
  const known = "there is no such commit, branch or tag, and it is no date";
  if (value.startsWith("-")) return known;
  return DAY.test(value) && !isOnCalendar(value) ? `${known} from 1970 to 2099` : undefined;
}

const DAY = /^\d{4}-\d\d?-\d\d?([T ]\S.*)?$/;

/**
 * Whether the numbers of a day and a time are ones that there are. Git reads others as some date all the same, and days
 * outside of 1970 to 2099 as now.
 */
function isOnCalendar(date: string): boolean {
  const [, year, month, day, time = ""] = /^(\d{4})-(\d\d?)-(\d\d?)(.*)$/.exec(date) ?? [];
  const there = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDay = there.getUTCMonth() === Number(month) - 1 && there.getUTCDate() === Number(day);
  const [, hours = 0, minutes = 0, seconds = 0] = /(\d+):(\d+)(?::(\d+))?/.exec(time) ?? [];
  const isTime = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) <= 60;
  return isDay && isTime && Number(year) >= 1970 && Number(year) < 2100;
}
