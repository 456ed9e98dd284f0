/** Joins class names, leaving out falsy values. */
export const cx = (...names: Array<string | false | null | undefined>): string => names.filter(Boolean).join(' ');
