import { NoAccessPage, NotFoundPage } from '../../shell/not-found-page.tsx'
import { useCan } from '../../use-session.ts'
import ImportsPage from './imports-page.tsx'
import { ImportWizard } from './wizard/import-wizard.tsx'

/** All imports, and the wizard: of a new one, or of one that the ID names. */
export default function ImportPages({ params: { id } }: { params: { id?: string } }) {
  const canWrite = useCan('links:write')
  if (id === undefined) return <ImportsPage />
  if (!/^(new|\d+)$/.test(id)) return <NotFoundPage />
  if (!canWrite) return <NoAccessPage />
  return <ImportWizard id={id === 'new' ? undefined : Number(id)} />
}
