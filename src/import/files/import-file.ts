import { open } from 'node:fs/promises'
import { Refusal } from '../../errors/refusal.ts'
import { fileErrorReason } from '../../runtime/file-error.ts'

const HEAD_BYTES = 64 * 1024

/** A file to import. `head`: its first bytes. */
export type ImportFile = {
  path: string
  head: Uint8Array
  /** From the beginning, each time. */
  chunks(): AsyncIterable<Uint8Array>
}

/** By their first bytes: what people have instead of a text file. */
const FOREIGN: [magic: string, sentence: string][] = [
  ['PK\x03\x04', 'is a ZIP archive, or a workbook of a spreadsheet. Unpack it, or save the sheet as CSV.'],
  ['\xd0\xcf\x11\xe0', 'is a workbook of a spreadsheet. Save the sheet as CSV.'],
  ...['\x1f\x8b', 'BZh9', '\xfd7zXZ', '7z\xbc\xaf', '\x28\xb5\x2f\xfd'].map((magic): [string, string] => [
    magic,
    'is compressed. Unpack it first.',
  ]),
  ['<?xml', 'is XML. Export the links as CSV, SQL or JSON.'],
  ...['<!DOCTYPE', '<!doctype', '<html'].map((magic): [string, string] => [
    magic,
    'is a page of a website, such as a form to sign in, and no export.',
  ]),
  ['%PDF', 'is a PDF document. Export the links as CSV.'],
]

export const startsWith = (head: Uint8Array, magic: string): boolean =>
  Buffer.from(head.subarray(0, magic.length)).toString('latin1') === magic

export async function openImportFile(path: string): Promise<ImportFile> {
  const head = await headOf(path)
  if (head.length === 0) throw unreadable(path, 'is empty.')
  const fault = foreignFileFault(head)
  if (fault !== undefined) throw unreadable(path, fault)
  return {
    path,
    head,
    chunks: () => Bun.file(path).stream() as unknown as AsyncIterable<Uint8Array>,
  }
}

/** What is wrong with a file that begins so. Undefined: it may be one to import. */
export const foreignFileFault = (head: Uint8Array): string | undefined =>
  FOREIGN.find(([magic]) => startsWith(head, magic))?.[1]

async function headOf(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path)
    try {
      // It is read several times, and its end is known.
      if (!(await file.stat()).isFile())
        throw unreadable(path, 'is not a file but a folder, a pipe or a device.')
      const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw unreadable(path, `cannot be read: ${fileErrorReason(error)}.`)
  }
}

export const unreadable = (path: string, sentence: string): Refusal =>
  new Refusal('command_failed', `${path} ${sentence}`)
