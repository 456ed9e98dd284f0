// What Yarn runs in this project (.yarnrc.yml). pnpm says the same by itself, from `packageManager` in package.json.
console.error('This project is installed with npm: run `npm install`.');
process.exitCode = 1;
