import { useQueryClient } from '@tanstack/react-query'
import { Plus, SearchX } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useAnswer } from '../api/use-data.ts'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { RowList } from '../components/row-list.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { editing } from '../chunks/chunks.ts'
import { calendarDay, fullNumber, shortUrlText } from '../format.ts'
import { strings } from '../strings.ts'
import { useCan } from '../use-session.ts'
import { DOMAINS } from './domain-queries.ts'
import { domainStrings as texts } from './domain-strings.ts'

/** The codes that visitors of a domain opened in vain, each with a way to make it a link. Left out where there are none. */
export function NotFoundCard({ host }: { host: string }) {
  const canCreate = useCan('links:create')
  const codes = useAnswer('GET /analytics/not-found', { query: { domain: host, limit: CODES_SHOWN } })
  const [chosen, setChosen] = useState<string>()
  const toast = useToast()
  const client = useQueryClient()
  const rows = codes.data?.data ?? []
  if (rows.length === 0) return null
  return (
    <Card title={texts.notFoundCodes}>
      <div className="stack">
        <p className="hint">{texts.notFoundCodesHint}</p>
        <RowList
          label={texts.notFoundCodes}
          icon={SearchX}
          rows={rows.map(({ short_code: code, visits, last_visited_on: day }) => ({
            id: code,
            name: code,
            hint: texts.visits(fullNumber(visits), calendarDay(`${day}T12:00:00Z`)),
            at: `${day}T12:00:00Z`,
            action: canCreate && (
              <Button
                size="small"
                icon={Plus}
                aria-label={texts.createCode(code)}
                onClick={() => setChosen(code)}
              >
                {strings.links.create}
              </Button>
            ),
          }))}
        />
      </div>
      <Suspense>
        {chosen !== undefined && (
          <editing.CreatePanel
            firstUrl=""
            firstForm={{ custom_code: chosen, domain: host }}
            onCreated={({ short_url: url }, isCopied) => {
              const { created, createdOnly } = strings.links
              toast({ text: (isCopied ? created : createdOnly)(shortUrlText(url)) })
              void codes.refetch()
              // It says how many links it has.
              void client.invalidateQueries({ queryKey: DOMAINS })
            }}
            onClose={() => setChosen(undefined)}
          />
        )}
      </Suspense>
    </Card>
  )
}

const CODES_SHOWN = 20
