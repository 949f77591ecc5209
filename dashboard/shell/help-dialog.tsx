import { Dialog } from '../components/dialog.tsx'
import { strings } from '../strings/strings.ts'

const KEYS: [keys: string[], what: string][] = [
  [['c'], strings.shortcuts.create],
  [['/'], strings.shortcuts.search],
  [['?'], strings.shortcuts.help],
  [['Esc'], strings.shortcuts.close],
  [['↑', '↓', '←', '→'], strings.shortcuts.move],
]

const HelpDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={strings.shortcuts.title} onClose={onClose}>
    <dl className="shortcuts">
      {KEYS.map(([keys, what]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </Dialog>
)

export default HelpDialog
