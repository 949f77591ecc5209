/** What came before the end, the limit or a failure: the start of a page has its title. */
export async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of body) chunks.push(chunk)
  } catch {
    // A broken encoding, a closed connection, or the time is up.
  }
  return Buffer.concat(chunks)
}
