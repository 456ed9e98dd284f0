// npm run test:copy: puts the files that the README tells you to copy into an empty Next app, type-checks and builds it.
// What stands here in templates is all that such an app needs beside them.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NEXT, PRISMA, runNode } from './programs.mjs';

const TARGET = 'test-results/copy'; // inside the project, so that its packages are found
const ROOT = path.resolve('.');

/** The README's list of files to copy: the code block that is marked `copy`. */
function readCopyList() {
  const block = /```text copy\n(.*?)```/s.exec(readFileSync('README.md', 'utf8'))?.[1];
  if (!block) throw new Error('README.md has no list of files to copy.');
  return block.split('\n').flatMap((line) => line.split('  ')[0]?.trim() || []);
}

const templates = {
  'package.json': '{ "name": "your-app", "private": true, "type": "module" }\n',
  'next.config.mjs': `export default { transpilePackages: ['@svc/tracker'], turbopack: { root: ${JSON.stringify(ROOT)} } };\n`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2023',
      lib: ['dom', 'dom.iterable', 'ES2023'],
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      strict: true,
      allowImportingTsExtensions: true,
      isolatedModules: true,
      esModuleInterop: true,
      skipLibCheck: true,
      noEmit: true,
      paths: { '@/*': ['./*'] },
    },
    include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts'],
    exclude: ['node_modules', '**/*.test.ts', '**/*.test.tsx'],
  }),
  'prisma/schema.prisma': `generator client {\n  provider = "prisma-client"\n  output   = "./generated"\n}\n\ndatasource db {\n  provider = "postgresql"\n}\n`,
  'prisma.config.ts': `import { defineConfig } from 'prisma/config';\n\nexport default defineConfig({ schema: 'prisma' });\n`,
  'app/layout.tsx': `import { ClerkProvider } from '@clerk/nextjs';
import { TrackerProvider, TrackerScript } from '@svc/tracker';
import type { ReactNode } from 'react';

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <ClerkProvider>
      <html lang="en">
        <body>
          <TrackerScript programId="prg_yours" />
          <TrackerProvider programId="prg_yours">{children}</TrackerProvider>
        </body>
      </html>
    </ClerkProvider>
  );
}
`,
  'app/page.tsx': 'export default function Page() {\n  return <main>Your app</main>;\n}\n',
};

const env = {
  ...process.env,
  NEXT_TELEMETRY_DISABLED: '1',
  PRISMA_SCHEMA_ENGINE_BINARY: path.resolve('scripts/schema-engine/engine.mjs'),
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: `pk_test_${Buffer.from('your-app.clerk.accounts.dev$').toString('base64')}`,
  NEXT_PUBLIC_SVC_PROGRAM_ID: 'prg_yours',
};

const TSC = path.resolve('node_modules/typescript/bin/tsc');

rmSync(TARGET, { recursive: true, force: true });
for (const [file, text] of Object.entries(templates)) {
  mkdirSync(path.join(TARGET, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(TARGET, file), text);
}
const files = readCopyList();
for (const file of files) {
  // Next's route groups are for tidiness only: your app has its own.
  cpSync(file, path.join(TARGET, file.replace(/\(\w+\)\//g, '')), { recursive: true });
}
process.chdir(TARGET);
await runNode([PRISMA, 'generate'], env);
await runNode([NEXT, 'typegen'], env);
await runNode([TSC, '--noEmit'], env);
await runNode([NEXT, 'build'], env);
console.log(`${files.length} paths copied into an empty Next app: it type-checks and builds.`);
