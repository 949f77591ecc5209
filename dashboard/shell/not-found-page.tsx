import { MapPinOff } from 'lucide-react'
import { useLocation } from 'wouter'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/states.tsx'
import { notFoundStrings } from './not-found-strings.ts'
import { useTitle } from '../use-title.ts'

export default function NotFoundPage() {
  useTitle(notFoundStrings.title)
  const [, navigate] = useLocation()
  return (
    <div className="card">
      <Empty heading="h1" icon={MapPinOff} title={notFoundStrings.title} text={notFoundStrings.text}>
        <Button onClick={() => navigate('/')}>{notFoundStrings.home}</Button>
      </Empty>
    </div>
  )
}
