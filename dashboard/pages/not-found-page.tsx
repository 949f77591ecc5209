import { MapPinOff } from 'lucide-react'
import { useLocation } from 'wouter'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/states.tsx'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { useTitle } from './use-title.ts'

const { notFound: texts } = lazyStrings

export default function NotFoundPage() {
  useTitle(texts.title)
  const [, navigate] = useLocation()
  return (
    <div className="card">
      <Empty heading="h1" icon={MapPinOff} title={texts.title} text={texts.text}>
        <Button onClick={() => navigate('/')}>{texts.home}</Button>
      </Empty>
    </div>
  )
}
