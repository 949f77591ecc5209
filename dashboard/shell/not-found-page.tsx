import { Lock, MapPinOff } from 'lucide-react'
import { useLocation } from 'wouter'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/states.tsx'
import { useTitle } from '../use-title.ts'
import { notFoundStrings } from './not-found-strings.ts'

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
