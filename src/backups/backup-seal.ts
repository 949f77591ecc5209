import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs'
import { Refusal } from '../errors/refusal.ts'
import { writeToFile } from '../store/files/durable-files.ts'
import { readPieces } from '../store/files/read-pieces.ts'

/**
 * A backup is an SQLite database with its seal behind it: `sha256:`, 64 hex digits and a line feed, over all bytes
 * before. SQLite takes no notice of it, and `head -c -72 FILE | sha256sum` says the same.
 */
const SEAL = /^sha256:([0-9a-f]{64})\n$/
const SEAL_BYTES = 72

/** Puts the seal behind the file, and all of it on the disk. */
export function sealFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const { size } = fstatSync(file)
    const hash = createHash('sha256')
    for (const piece of readPieces(file, size)) hash.update(piece)
    writeToFile(file, Buffer.from(`sha256:${hash.digest('hex')}\n`), size)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Copies a sealed file to the disk without its seal. Refused if a single byte differs. */
export function copyUnsealed(from: string, to: string): void {
  const source = openSync(from, 'r')
  const target = openSync(to, 'w')
  try {
    const sealAt = fstatSync(source).size - SEAL_BYTES
    const seal = Buffer.alloc(SEAL_BYTES)
    const hash = createHash('sha256')
    if (sealAt > 0) readSync(source, seal, 0, SEAL_BYTES, sealAt)
    let at = 0
    for (const piece of readPieces(source, sealAt)) {
      hash.update(piece)
      writeToFile(target, piece, at)
      at += piece.length
    }
    if (SEAL.exec(seal.toString('latin1'))?.[1] !== hash.digest('hex')) throw notWhole(from)
    fsyncSync(target)
  } finally {
    closeSync(target)
    closeSync(source)
  }
}

const notWhole = (file: string) =>
  new Refusal(
    'command_failed',
    `${file} is damaged, cut short, or no backup made by tern backup. Nothing was changed.`,
  )
