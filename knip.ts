import type { KnipConfig } from 'knip'

// `npm run unused` runs it twice. Without --production: no export that nothing imports. With it: nothing that only
// tests use. A test may import what its file uses itself, such as a limit, so there an export used in its own file counts.
const isProductionRun = process.argv.includes('--production')

export default {
  entry: [
    'src/cli/main.ts!',
    'dashboard/main.tsx!',
    'dashboard/build/*.ts!',
    // Imported by what the build puts in the place of a package.
    'src/clicks/parquet/load-embedded-addon.ts!',
    '{src,dashboard,test}/**/*.test.{ts,tsx}',
    // Run as programs of their own.
    'test/**/*.script.ts',
    'bench/*.ts!',
    'build/*.ts!',
  ],
  project: [
    '{src,dashboard,bench,build}/**/*.{ts,tsx}!',
    'test/**/*.{ts,tsx}',
    '!{src,dashboard}/**/*.test.{ts,tsx}!',
  ],
  // TypeScript comes inside Bun; its settings name bun-types.
  typescript: { config: ['tsconfig.json', 'dashboard/tsconfig.json'] },
  ignoreExportsUsedInFile: isProductionRun,
  // Found by path (axe-core, @redocly/cli), or types that another package's types import.
  ignoreDependencies: ['@redocly/cli', 'axe-core', '@types/geojson', '@types/smtp-server'],
  // `bun fmt`.
  ignoreBinaries: ['fmt'],
} satisfies KnipConfig
