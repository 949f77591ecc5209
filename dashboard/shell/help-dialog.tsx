import { Dialog } from '../components/dialogs/dialog.tsx'
import { IS_APPLE } from './shortcuts.ts'
import { useSignedIn } from '../use-session.ts'
import { placesOf } from './places.ts'
import '../components/charts/data.css'

/** The English texts of the list of keyboard shortcuts. */
const shortcutStrings = {
  title: 'Keyboard shortcuts',
  palette: 'Find a link, a page or an action',
  goTo: (page: string) => `Go to ${page}`,
  search: 'Search links',
  filter: 'Add a filter; arrows move among filters',
  unfilter: 'Remove the last filter, while no link is selected',
  create: 'Create a link',
  createMore: 'Create a link with more options',
  edit: 'Edit the link',
  qr: 'Show the QR code',
  rows: 'Go to the next or previous link',
  pick: 'Select the link',
  extend: 'Extend the selection',
  pickAll: 'Select the page; again: all links of the list',
  tag: 'Change tags',
  moveLinks: 'Move to a folder',
  archive: 'Archive',
  copy: 'Copy the short URL of the link',
  remove: 'Delete the selected links, or the link',
  undo: 'Undo the last change',
  save: 'Save the link',
  help: 'Show this help',
  close: 'Close a dialog or menu',
  move: 'Move through menus and tabs',
}

const COMMAND = IS_APPLE ? '⌘' : 'Ctrl'

type Keys = [keys: string[], what: string][]

const KEYS: Keys = [
  [[COMMAND, 'k'], shortcutStrings.palette],
  [['c'], shortcutStrings.create],
  [['⇧', 'c'], shortcutStrings.createMore],
  [['e'], shortcutStrings.edit],
  [['q'], shortcutStrings.qr],
  [[COMMAND, '↵'], shortcutStrings.save],
  [['j', 'k'], shortcutStrings.rows],
  [['x'], shortcutStrings.pick],
  [['⇧', '↑', '↓'], shortcutStrings.extend],
  [[COMMAND, 'a'], shortcutStrings.pickAll],
  [['t'], shortcutStrings.tag],
  [['m'], shortcutStrings.moveLinks],
  [['a'], shortcutStrings.archive],
  [[COMMAND, 'c'], shortcutStrings.copy],
  [['⌫'], shortcutStrings.remove],
  [[COMMAND, 'z'], shortcutStrings.undo],
  [['/'], shortcutStrings.search],
  [['f'], shortcutStrings.filter],
  [['⌫'], shortcutStrings.unfilter],
  [['?'], shortcutStrings.help],
  [['Esc'], shortcutStrings.close],
  [['↑', '↓', '←', '→'], shortcutStrings.move],
]

export default function HelpDialog({ onClose }: { onClose: () => void }) {
  const places = placesOf(useSignedIn().user)
  const ofPages = places.flatMap(({ key, label }): Keys =>
    key ? [[['g', key], shortcutStrings.goTo(label)]] : [],
  )
  return (
    <Dialog title={shortcutStrings.title} onClose={onClose}>
      <dl className="shortcuts">
        {[...KEYS, ...ofPages].map(([keys, what]) => (
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
}
