import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api/api-client.ts'
import { useChange } from '../../api/use-change.ts'
import { Question } from '../../components/dialogs/dialog.tsx'
import { requestFor } from '../link-address.ts'
import { CLICKS } from '../link-queries.ts'
import { LINKS } from '../listed-links.ts'
import { deleteClicksStrings as texts } from './delete-clicks-strings.ts'

type DeleteClicksQuestionProps = { link: OwnLink; onClose: () => void }

export function DeleteClicksQuestion({ link, onClose }: DeleteClicksQuestionProps) {
  const { short_code: code, click_count: clicks } = link
  const deletion = useChange(() => ask('DELETE /links/{short_code}/clicks', requestFor(link)), {
    said: ({ data }) => texts.deleted(code, data.clicks + data.imported_clicks),
    rereads: [CLICKS, LINKS],
  })
  return (
    <Question
      title={texts.title(code, clicks)}
      text={texts.text}
      action={texts.action}
      onYes={() => deletion.mutateAsync()}
      onClose={onClose}
      failed={texts.failed}
    />
  )
}
