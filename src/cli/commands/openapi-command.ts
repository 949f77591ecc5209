import type { Command } from '../command.ts'

export const openApiCommand: Command = {
  name: 'openapi',
  summary: "Print the API's OpenAPI document.",
  async run(_call, { print }) {
    // Imported here: it loads the whole API, which would slow down every other command and the server's start.
    const { defaultOpenApi } = await import('./default-openapi.ts')
    print(defaultOpenApi())
  },
}
