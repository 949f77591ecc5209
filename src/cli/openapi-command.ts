import type { Command } from './command.ts'

export const openApiCommand: Command = {
  name: 'openapi',
  summary: "Print the API's OpenAPI document.",
  async run(_call, { print }) {
    // Only now: it loads the whole API, which every other command, and the server's start, would wait for.
    const { defaultOpenApi } = await import('./default-openapi.ts')
    print(defaultOpenApi())
  },
}
