import { Lock, MapPinOff } from 'lucide-react'
import { useLocation } from 'wouter'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/states.tsx'
import { useTitle } from '../use-title.ts'

/** The English texts of the page for addresses that do not exist. */
const notFoundStrings = {
  title: 'Page not found',
  text: 'There is no page at this URL.',
  noAccess: {
    title: 'You don’t have access',
    text: 'Your role in this workspace doesn’t open this page. Ask an admin.',
  },
  home: 'Go to links',
}

type ClosedPageProps = Pick<React.ComponentProps<typeof Empty>, 'icon' | 'title' | 'text'>

function ClosedPage(props: ClosedPageProps) {
  useTitle(props.title)
  const [, navigate] = useLocation()
  return (
    <div className="card">
      <Empty heading="h1" {...props}>
        <Button onClick={() => navigate('/')}>{notFoundStrings.home}</Button>
      </Empty>
    </div>
  )
}

export const NotFoundPage = () => (
  <ClosedPage icon={MapPinOff} title={notFoundStrings.title} text={notFoundStrings.text} />
)

/** Of a page that the role in the workspace does not open. */
export const NoAccessPage = () => <ClosedPage icon={Lock} {...notFoundStrings.noAccess} />
