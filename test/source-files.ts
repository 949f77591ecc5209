import { Glob } from 'bun'
import { dirname, join } from 'node:path'

/** `type`: erased at run time. `worker`: runs on its own thread. */
export type Import = { from: string; kind: 'runtime' | 'type' | 'worker' }

export type SourceFile = {
  /** From the root of the repository: `src/links/create-link.ts`. */
  path: string
  text: string
  /** What is left to run: no types, no comments, so that a word in a comment is not taken for its use. */
  code: string
  imports: Import[]
}

const transpilers = {
  ts: new Bun.Transpiler({ loader: 'ts', target: 'bun' }),
  tsx: new Bun.Transpiler({ loader: 'tsx', target: 'bun' }),
}
const transpilerOf = (path: string) => transpilers[path.endsWith('.tsx') ? 'tsx' : 'ts']

export async function readSourceFiles(root: string): Promise<SourceFile[]> {
  const paths = [...new Glob('{src,dashboard}/**/*.{ts,tsx}').scanSync(root)].sort()
  return Promise.all(paths.map(async (path) => sourceFile(path, await Bun.file(join(root, path)).text())))
}

export async function readTestFiles(root: string): Promise<Pick<SourceFile, 'path' | 'text'>[]> {
  const paths = [...new Glob('{src,dashboard,test}/**/*.test.{ts,tsx}').scanSync(root)].sort()
  return Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })))
}

export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, code: transpilerOf(path).transformSync(text).trim(), imports: importsOf(path, text) }
}

/** What an import leads to, as a path from the root; undefined for a package. */
export function target(file: SourceFile, { from }: Import): string | undefined {
  return from.startsWith('.') ? join(dirname(file.path), from) : undefined
}

export const isTest = (path: string) => /\.test\.tsx?$/.test(path)

function importsOf(path: string, text: string): Import[] {
  const runtime = new Set(
    transpilerOf(path)
      .scanImports(text)
      .map((each) => each.path),
  )
  // The transpiler passes over what is gone at run time, so the text is searched as well.
  const written = new Set([
    ...matches(text, /^(?:import|export)\b[^'"]*?\bfrom\s*['"]([^'"]+)['"]/gm),
    ...matches(text, /\bimport\(\s*['"]([^'"]+)['"]/g),
  ])
  const workers = new Set(matches(text, /\bnew URL\(\s*['"](\.[^'"]+)['"],\s*import\.meta\.url/g))
  return [
    ...[...runtime].map((from) => ({ from, kind: 'runtime' as const })),
    ...[...written.difference(runtime)].map((from) => ({ from, kind: 'type' as const })),
    ...[...workers].map((from) => ({ from, kind: 'worker' as const })),
  ]
}

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!)
