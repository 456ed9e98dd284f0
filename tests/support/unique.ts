import { randomUUID } from 'node:crypto';

/** A value that no other test uses. */
export const unique = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;
