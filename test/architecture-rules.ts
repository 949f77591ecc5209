import { basename, dirname } from 'node:path'
import type { Fence } from './architecture-rules.data.ts'
import { isTest, target } from './source-files.ts'
import type { SourceFile } from './source-files.ts'

// Every rule takes files and gives a sentence for each break; none means that the rule holds.

/** Files that are imported as text or data. */
const ASSET = /\.(css|html|json|svg|txt)$/

type House = {
  vocabulary: string[]
  rooms: string[]
  floors: Record<string, string[]>
  edges: [from: string, to: string][]
}

/** Tests may wire up what they like; everything else imports downwards only. */
export function brokenFloors(files: SourceFile[], house: House): string[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => {
      if (floorOf(file.path, house) === undefined) return [`${file.path} stands on no floor`]
      return file.imports
        .map((each) => ({ to: target(file, each), isType: each.kind === 'type' }))
        .filter(({ to, isType }) => to !== undefined && !mayImport(file.path, { to, isType }, house))
        .map(({ to }) => `${file.path} imports ${to}`)
    })
}

function mayImport(from: string, { to, isType }: { to: string; isType: boolean }, house: House): boolean {
  const [fromFloor, toFloor] = [floorOf(from, house), floorOf(to, house)]
  if (fromFloor === undefined || toFloor === undefined) return false
  // It runs in browsers: of the server it may know shapes, and use pictures and styles.
  if (fromFloor === 'dashboard') return toFloor === 'dashboard' || isType || ASSET.test(to)
  if (folderOf(from) === folderOf(to)) return true
  if (fromFloor !== 'room' || toFloor !== 'room') return house.floors[fromFloor]!.includes(toFloor)
  return house.edges.some(([a, b]) => a === folderOf(from) && b === folderOf(to))
}

function floorOf(path: string, house: House): string | undefined {
  const folder = folderOf(path)
  if (folder === '') return house.vocabulary.includes(stemOf(path)) ? 'vocabulary' : undefined
  if (folder !== undefined && house.rooms.includes(folder)) return 'room'
  return folder !== undefined && folder !== 'vocabulary' && Object.hasOwn(house.floors, folder)
    ? folder
    : undefined
}

/** The folder directly in src/, or the dashboard; empty for files without one, undefined outside of both. */
function folderOf(path: string): string | undefined {
  const [top, ...rest] = path.split('/')
  if (top === 'dashboard') return top
  if (top !== 'src') return undefined
  return rest.length > 1 ? rest[0] : ''
}

/** The rooms that lead back to themselves. */
export function circles(edges: [from: string, to: string][]): string[] {
  const nextOf = (room: string) => edges.filter(([from]) => from === room).map(([, to]) => to)
  const rooms = [...new Set(edges.map(([from]) => from))]
  return rooms
    .filter((room) => closure(nextOf(room), nextOf).has(room))
    .map((room) => `${room} leads back to ${room}`)
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

/** The files that are loaded with this one, itself included, sorted. */
export function reachedFrom(files: SourceFile[], start: string): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  if (!byPath.has(start)) throw new Error(`${start} is missing`)
  const nextOf = (path: string) => {
    const file = byPath.get(path)
    // A stylesheet, say, leads nowhere.
    if (file === undefined) return []
    const runtime = file.imports.filter(({ kind }) => kind === 'runtime')
    return runtime.map((each) => target(file, each)).filter((to) => to !== undefined)
  }
  return [...closure([start], nextOf)].sort()
}

/** All that can be come to from `starts`, which belong to it. */
function closure(starts: string[], nextOf: (item: string) => string[]): Set<string> {
  const found = new Set(starts)
  // A set that grows while it is walked is walked to its new end.
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
      .map((path) => `${path} belongs to no room`),
    ...sources
      .filter((path) => sources.some((other) => other !== path && basename(other) === basename(path)))
      .map((path) => `${path} shares its name with another file`),
  ]
}

/** `longer` is path to reason; a reason that is no longer needed is a break too. */
export function tooLong(files: SourceFile[], linesMax: number, longer: Record<string, string>): string[] {
  const long = files
    .filter(({ text }) => text.trimEnd().split('\n').length > linesMax)
    .map(({ path }) => path)
  return [
    ...long
      .filter((path) => !Object.hasOwn(longer, path))
      .map((path) => `${path} has over ${linesMax} lines`),
    ...Object.keys(longer)
      .filter((path) => !long.includes(path))
      .map((path) => `${path} needs no exception`),
  ]
}

/** Files that do something and are not in the vocabulary. `elsewhere` is path, or folder with its slash, to its test. */
export function untested(files: SourceFile[], elsewhere: Record<string, string>): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const bare = files
    .filter(({ path, code }) => !isTest(path) && folderOf(path) !== '' && code !== '')
    .map(({ path }) => path)
    .filter((path) => !paths.has(path.replace(/\.tsx?$/, '.test$&')))
  const covers = (exception: string, path: string) =>
    exception.endsWith('/') ? path.startsWith(exception) : path === exception
  const exceptions = Object.keys(elsewhere)
  return [
    ...bare
      .filter((path) => !exceptions.some((each) => covers(each, path)))
      .map((path) => `${path} has no test beside it`),
    ...exceptions
      .filter((each) => !bare.some((path) => covers(each, path)))
      .map((each) => `${each} needs no exception`),
  ]
}

const stemOf = (path: string) => basename(path).replace(/\..*$/, '')
