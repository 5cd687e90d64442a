/** A dialog that is open, above everything else, as long as its component is shown. */
import { useEffect, useRef, type RefObject } from 'react'

export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return dialog
}
