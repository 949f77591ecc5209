import { z } from '@hono/zod-openapi'

export const PATH_PARAMETERS = z.object({
  short_code: z
    .string()
    .openapi({ description: 'The part of the short URL after the slash.', example: 'launch' }),
  id: z.int().min(1).openapi({ description: 'The id, as a list shows it.', example: 1 }),
  host: z.string().openapi({ description: 'The host of a domain.', example: 'go.example.com' }),
  version: z.int().min(1).openapi({ description: 'The number of a version.', example: 1 }),
})

const domainParameter = (without: string) =>
  z
    .string()
    .optional()
    .openapi({ description: `The host of the short URL. ${without}`, example: 'go.example.com' })

/** Every request that names a link may say which domain its code is on. */
export const DOMAIN = domainParameter(
  "Without it, the code is looked for on the workspace's default domain, then on that of BASE_URL, then on its others.",
)
/** Without a key there is no workspace. */
export const PUBLIC_DOMAIN = domainParameter('Without it, the code is that of the host of the request.')
