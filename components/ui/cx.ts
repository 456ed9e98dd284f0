/** Joins class names, leaving out what is falsy. */
export const cx = (...names: Array<string | false | null | undefined>): string => names.filter(Boolean).join(' ');
