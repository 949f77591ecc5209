/** A thread that follows its messages. */
declare const self: Worker

self.onmessage = async ({ data: { kind } }: MessageEvent<{ kind: string }>) => {
  if (kind === 'start') self.postMessage({ kind: 'ready' })
  else if (kind === 'echo') self.postMessage({ kind: 'echo' })
  else if (kind === 'stop') self.postMessage({ kind: 'stopped' })
  else if (kind === 'leave') process.exit(0)
  else if (kind === 'reject') void Promise.reject(new Error('A test asked for it.'))
  else setTimeout(() => raise(), 0)
}

function raise(): never {
  throw new Error('A test asked for it.')
}
