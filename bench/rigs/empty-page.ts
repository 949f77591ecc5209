import { join } from 'node:path'

const HTML =
  '<!doctype html><title>Empty</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/app.js"></script>'

/** Serves a page that only renders a heading with React, which any page of the dashboard takes longer than. */
export async function serveEmptyPage(): Promise<Bun.Server<undefined>> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'empty-app.js')],
    target: 'browser',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const script = await outputs[0]!.text()
  const answer = (body: string, type: string) => new Response(body, { headers: { 'Content-Type': type } })
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) =>
      url.endsWith('/app.js') ? answer(script, 'text/javascript') : answer(HTML, 'text/html'),
  })
}
