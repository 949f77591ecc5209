/**
 * A nearly full disk takes fewer bytes than it is offered and reports no error. Each of these offers the rest until all is
 * written or the disk refuses.
 */
type File<Written> = { write(bytes: Uint8Array, position: number): Written }

export function writeAll(file: File<number>, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    done += someOf(file.write(bytes.subarray(done), position + done))
  }
}

export async function writeAllAsync(
  file: File<Promise<number>>,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += someOf(await file.write(bytes.subarray(done), position + done))
  }
}

/** Zero bytes without an error would be offered again forever. */
function someOf(written: number): number {
  if (written === 0) throw new Error('The disk took no bytes.')
  return written
}
