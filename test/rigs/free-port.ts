/** A port that was free a moment ago, below those that the system gives to outgoing connections. */
export function freePort(): number {
  const [LEAST, COUNT, TRIES_MAX] = [12_000, 20_000, 100]
  for (let tries = 1; ; tries++) {
    const port = LEAST + Math.floor(Math.random() * COUNT)
    try {
      void Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response() }).stop(true)
      return port
    } catch (error) {
      if (tries === TRIES_MAX) throw error
    }
  }
}
