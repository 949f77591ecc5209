import { basename, dirname } from 'node:path'
import type { Fence } from './architecture-rules.data.ts'
import { isTest, target } from './source-files.ts'
import type { SourceFile } from './source-files.ts'
import { functionsOf } from './source-functions.ts'

// Every rule takes files and returns a sentence for each violation.

/** Files that are imported as text or data. */
const ASSET = /\.(css|html|json|ico|sql|svg|txt)$/

type Structure = {
  base: string[]
  modules: string[]
  layers: Record<string, string[]>
  edges: [from: string, to: string][]
}

/** Tests may wire up what they like; everything else imports downwards only. */
export function brokenLayers(files: SourceFile[], structure: Structure): string[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => {
      if (layerOf(file.path, structure) === undefined) return [`${file.path} is in no layer`]
      return file.imports
        .map((each) => ({ to: target(file, each), isType: each.kind === 'type' }))
        .filter(({ to, isType }) => to !== undefined && !mayImport(file.path, { to, isType }, structure))
        .map(({ to }) => `${file.path} imports ${to}`)
    })
}

function mayImport(
  from: string,
  { to, isType }: { to: string; isType: boolean },
  structure: Structure,
): boolean {
  const [fromLayer, toLayer] = [layerOf(from, structure), layerOf(to, structure)]
  if (fromLayer === undefined || toLayer === undefined) return false
  // It runs in browsers: it may use types, images and styles of the server.
  if (fromLayer === 'dashboard') return toLayer === 'dashboard' || isType || ASSET.test(to)
  if (folderOf(from) === folderOf(to)) return true
  if (fromLayer !== 'module' || toLayer !== 'module') return structure.layers[fromLayer]!.includes(toLayer)
  return structure.edges.some(([a, b]) => a === folderOf(from) && b === folderOf(to))
}

function layerOf(path: string, structure: Structure): string | undefined {
  const folder = folderOf(path)
  if (folder === undefined) return undefined
  if (structure.base.includes(folder)) return 'base'
  if (structure.modules.includes(folder)) return 'module'
  return folder !== 'base' && Object.hasOwn(structure.layers, folder) ? folder : undefined
}

/** The folder directly in src/, or the dashboard; undefined for everything else. */
function folderOf(path: string): string | undefined {
  const [top, ...rest] = path.split('/')
  if (top === 'dashboard') return top
  return top === 'src' && rest.length > 1 ? rest[0] : undefined
}

/** Modules that import themselves through others. */
export function circles(edges: [from: string, to: string][]): string[] {
  const nextOf = (module: string) => edges.filter(([from]) => from === module).map(([, to]) => to)
  const modules = [...new Set(edges.map(([from]) => from))]
  return modules
    .filter((module) => closure(nextOf(module), nextOf).has(module))
    .map((module) => `${module} leads back to ${module}`)
}

export function brokenFences(files: SourceFile[], fences: Fence[]): string[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) =>
      fences
        .filter(({ only }) => !only.some((allowed) => file.path.startsWith(allowed)))
        .filter((fence) => crosses(file, fence))
        .map(({ what }) => `${file.path} uses ${what}`),
    )
}

function crosses(file: SourceFile, { modules, code }: Fence): boolean {
  return file.imports.some(({ from }) => modules?.test(from)) || code?.test(file.code) === true
}

/** Everything reachable from `starts`, including them. */
function closure(starts: string[], nextOf: (item: string) => string[]): Set<string> {
  const found = new Set(starts)
  // Iterating a set also visits items that are added during the loop.
  for (const item of found) for (const next of nextOf(item)) found.add(next)
  return found
}

/** A relative import without its `.ts` would be invisible to the other rules. */
export function danglingImports(files: SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const isMissing = (path: string) => /^(src|dashboard)\//.test(path) && !paths.has(path) && !ASSET.test(path)
  return files.flatMap((file) =>
    file.imports
      .filter((each) => isMissing(target(file, each) ?? ''))
      .map(({ from }) => `${file.path} imports ${from}, which is no file`),
  )
}

export function badNames(paths: string[], foldersBanned: string[]): string[] {
  const sources = paths.filter((path) => !isTest(path))
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.tsx?$/
  return [
    ...paths.filter((path) => !kebab.test(basename(path))).map((path) => `${path} is not in kebab-case`),
    ...paths.filter((path) => stemOf(path) === 'index').map((path) => `${path} says nothing by its name`),
    ...paths
      .filter((path) =>
        [...dirname(path).split('/'), stemOf(path)].some((name) => foldersBanned.includes(name)),
      )
      .map((path) => `${path} belongs to no module`),
    ...sources
      .filter((path) => sources.some((other) => other !== path && basename(other) === basename(path)))
      .map((path) => `${path} shares its name with another file`),
  ]
}

export const tooLong = (files: SourceFile[], linesMax: number): string[] =>
  files
    .filter(({ text }) => text.trimEnd().split('\n').length > linesMax)
    .map(({ path }) => `${path} has over ${linesMax} lines`)

/** Functions with too many lines or parameters. */
export function bigFunctions(files: SourceFile[], max: { lines: number; parameters: number }): string[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap(functionsOf)
    .flatMap(({ path, line, name, lines, parameters }) => [
      ...(lines > max.lines ? [`${path}:${line()} ${name} has ${lines} lines`] : []),
      ...(parameters > max.parameters ? [`${path}:${line()} ${name} has ${parameters} parameters`] : []),
    ])
}

/** Test files with much code before their first test: what they show comes first, and how it is done below. */
export const lateFirstTests = (files: Pick<SourceFile, 'path' | 'text'>[], linesMax: number): string[] =>
  files
    .filter(({ path, text }) => isTest(path) && linesBeforeTests(text) > linesMax)
    .map(({ path }) => `${path} has over ${linesMax} lines of code before its first test`)

/** Without imports, comments and blank lines. */
function linesBeforeTests(text: string): number {
  const [before = ''] = text.split(/^[ \t]*(?:test|it)\w*(?:\.\w+)*[(<]/m)
  const code = before
    .replaceAll(/^import\b[^'"]*(['"])[^'"]*\1.*$/gm, '')
    .replaceAll(/^\s*(?:\/\*[^]*?\*\/|\/\/.*$)/gm, '')
  return code.split('\n').filter((line) => line.trim() !== '').length
}

const stemOf = (path: string) => basename(path).replace(/\..*$/, '')
