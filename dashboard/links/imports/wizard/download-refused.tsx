import { Download } from 'lucide-react'
import { workspaceUrl } from '../../../api/request.ts'
import { wizardStrings as texts } from './wizard-strings.ts'

/** A CSV of the lines that were refused, with the reasons. */
export const DownloadRefused = ({ id, variant = 'quiet' }: { id: number; variant?: 'quiet' | 'plain' }) => (
  <a className={`button is-${variant} is-small`} href={workspaceUrl(`/import-jobs/${id}/refused`)} download>
    <Download size={16} aria-hidden />
    <span>{texts.check.download}</span>
  </a>
)
