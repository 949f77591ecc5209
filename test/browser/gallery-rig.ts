import { Hono } from 'hono'
import { buildDashboard } from '../../dashboard/build/build-dashboard.ts'
import type { AppEnv } from '../../src/http/dispatch/app-context.ts'
import { addDashboard } from '../../src/http/dashboard-site/dashboard-site.ts'
import { securityHeaders } from '../../src/http/responses/security-headers.ts'
import { type Look, openBrowser } from './chromium.ts'
import type { Opened } from './browser-rig.ts'

/** The page of all parts in a browser, under the headers that the dashboard has. It asks no server for anything. */
export type GalleryRig = {
  open(look?: Look): Promise<Opened>
  stop(): Promise<void>
}

export async function startGalleryRig(): Promise<GalleryRig> {
  const files = buildDashboard('gallery/gallery.html')
  await files
  const app = new Hono<AppEnv>()
  app.use(async (context, next) => {
    for (const [name, value] of securityHeaders(context.req.path, 'http://localhost'))
      context.header(name, value)
    await next()
  })
  addDashboard(app, { files: () => files, warm() {} })
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', development: false, fetch: app.fetch })
  const browser = await openBrowser()
  return {
    open: (look = {}) => browser.open(`http://127.0.0.1:${server.port}/dashboard/`, look),
    async stop() {
      await browser.close()
      await server.stop(true)
    },
  }
}
