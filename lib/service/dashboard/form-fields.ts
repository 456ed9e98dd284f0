import { z } from 'zod';
import { isStorableText } from '../clean-input.ts';

/** A name that people give, such as a partner's or a key's; may be blank. */
export const nameField = z
  .string()
  .trim()
  .max(60, { error: 'A name can have at most 60 characters.' })
  .refine(isStorableText, { error: 'A name is text.' });
