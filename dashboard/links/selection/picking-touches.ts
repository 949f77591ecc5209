import { type ComponentProps, type MouseEvent, type PointerEvent, useRef } from 'react'
import type { ListedLink } from '../../../src/http/endpoints/browser-types.ts'
import { openRow } from '../../components/open-row.ts'
import type { Selection } from './use-selection.ts'

const LONG_PRESS_MS = 500

/** What a touch does in a row: a long one begins to select, and then each one selects instead of opening the link. */
export function usePickingTouches({ isPicking, toggle, startPicking }: Selection) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The click that ends a long press opens nothing. */
  const wasLong = useRef(false)
  const cancel = () => clearTimeout(timer.current)
  return (link: ListedLink): ComponentProps<'tr'> => ({
    onPointerDown: ({ pointerType }: PointerEvent) => {
      wasLong.current = false
      if (pointerType !== 'touch' || isPicking) return
      timer.current = setTimeout(() => {
        wasLong.current = true
        startPicking([link])
      }, LONG_PRESS_MS)
    },
    onPointerUp: cancel,
    onPointerMove: ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) cancel()
    },
    onPointerCancel: cancel,
    onContextMenu: (event: MouseEvent) => {
      if (wasLong.current || isPicking) event.preventDefault()
    },
    onClickCapture: (event: MouseEvent<HTMLTableRowElement>) => {
      const isTick = (event.target as Element).closest('.tick') !== null
      if (!wasLong.current && (!isPicking || isTick)) return
      event.preventDefault()
      event.stopPropagation()
      if (!wasLong.current) toggle(link)
      wasLong.current = false
    },
    onClick: openRow,
  })
}
