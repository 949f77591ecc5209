import { useQuery } from '@tanstack/react-query'
import { ask } from '../../../api-client.ts'

/** What conditions of rules can name; undefined until they have arrived. */
export const useConditionChoices = (isNeeded: boolean) =>
  useQuery({
    queryKey: ['condition-choices'],
    queryFn: async ({ signal }) => (await ask('GET /condition-choices', { signal })).data,
    enabled: isNeeded,
    // They change with the server only.
    staleTime: Infinity,
  }).data
