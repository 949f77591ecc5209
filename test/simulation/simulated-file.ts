import type { SeededRandom } from './seeded-random.ts'

type Change = {
  /** Position of the bytes; for a truncation, the new end of the file. */
  position: number
  bytes: Uint8Array | undefined
  isDurable: boolean
  /** A sync of it has failed: the kernel considers the page clean and never writes it, and later syncs succeed. */
  isForgotten: boolean
}

/** The contents of a file as running processes see it, and what of it is on the disk. */
export class SimulatedFile {
  content: Buffer = Buffer.alloc(0)
  #changes: Change[] = []

  /** A file that is completely on the disk. */
  static of(content: Uint8Array): SimulatedFile {
    const file = new SimulatedFile()
    file.become(Buffer.from(content))
    return file
  }

  write(bytes: Uint8Array, position: number): void {
    const change = { position, bytes: Uint8Array.from(bytes), isDurable: false, isForgotten: false }
    this.#changes.push(change)
    this.content = changed(this.content, change)
  }

  truncate(size: number): void {
    const change = { position: size, bytes: undefined, isDurable: false, isForgotten: false }
    this.#changes.push(change)
    this.content = changed(this.content, change)
  }

  /** A sync covers what was written before it began, and nothing else. */
  startSync() {
    const covered = this.#changes.filter(({ isDurable, isForgotten }) => !isDurable && !isForgotten)
    return {
      succeed: () => covered.forEach((change) => (change.isDurable = true)),
      fail: () => covered.forEach((change) => (change.isForgotten = !change.isDurable)),
    }
  }

  /** Keeps or drops each unsynced change independently, and perhaps keeps only a part of the last. */
  losePower(random: SeededRandom): void {
    const style = random.pick(['all lost', 'all there', 'any', 'any'] as const)
    let content: Buffer = Buffer.alloc(0)
    for (const change of this.#changes) {
      const isThere = change.isDurable || style === 'all there' || (style === 'any' && random.chance(0.5))
      if (isThere) content = changed(content, change)
      else if (style === 'any' && random.chance(0.5)) content = changed(content, torn(change, random))
    }
    this.become(content)
  }

  become(content: Buffer): void {
    this.content = content
    this.#changes = [{ position: 0, bytes: content, isDurable: true, isForgotten: false }]
  }
}

function changed(content: Buffer, { position, bytes }: Pick<Change, 'position' | 'bytes'>): Buffer {
  if (bytes === undefined) return resized(content, position)
  const next = resized(content, Math.max(content.length, position + bytes.length))
  next.set(bytes, position)
  return next
}

/** A copy, cut or padded with zeros, because processes may still hold the original. */
function resized(content: Buffer, size: number): Buffer {
  const next = Buffer.alloc(size)
  content.copy(next, 0, 0, size)
  return next
}

/** What an incomplete write leaves: its beginning, its end after zeros, or only its length. */
function torn(change: Change, random: SeededRandom): Change {
  const { bytes } = change
  if (bytes === undefined) return change
  const at = random.below(bytes.length + 1)
  const part = Uint8Array.from(bytes)
  const style = random.pick(['beginning', 'end', 'length'] as const)
  if (style === 'beginning') return { ...change, bytes: part.subarray(0, at) }
  part.fill(0, 0, style === 'end' ? at : part.length)
  return { ...change, bytes: part }
}
