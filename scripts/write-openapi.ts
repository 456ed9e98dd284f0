// Writes openapi.yaml from the service's schemas. Run it with `npx tsx --conditions=react-server scripts/write-openapi.ts`; a test tells you when.
import { writeFileSync } from 'node:fs';
import { formatApiDescription } from './format-api-description.ts';

writeFileSync('openapi.yaml', formatApiDescription());
