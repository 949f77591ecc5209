import { z } from '@hono/zod-openapi'
import { invalid } from '../../errors/refusal.ts'
import { exclusionToken } from '../../users/own-traffic/exclude-browser.ts'
import { comparedText } from '../../validation/field-rules.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'

const exclusionBody = z.object({
  domain: comparedText.meta({ description: 'A host on which the workspace can make links.' }),
})

/** Which visits the workspace does not count. Networks are a setting of the workspace. */
export const ownTrafficEndpoints = [
  endpoint({
    route: 'POST /own-traffic/link',
    who: 'session',
    role: 'links:read',
    input: body(exclusionBody),
    answer: {
      status: 201,
      message: 'Link created.',
      data: z.strictObject({
        url: z.string().meta({
          description:
            'Works once, for five minutes: the browser that opens it is not counted on that domain any more.',
        }),
      }),
    },
    async run({ caller, input: { domain } }, deps) {
      const id = deps.domains.idFor(caller.workspaceId, domain)
      if (id === undefined) throw invalid({ domain: ['The domain must be one of your workspace.'] })
      const token = await exclusionToken(deps, caller, id)
      return { data: { url: `${deps.domains.rootOf(id)}/own-traffic/${token}` } }
    },
  }),
]
