import { useState } from 'react'
import { useRight } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import { SendTest, type SendTestProps } from './SendTest.tsx'
import { testTexts } from './texts.ts'

/** Opens the dialog that sends a test message, for operators who may send one. */
export function TestButton(props: Omit<SendTestProps, 'onClose'>) {
  const t = useTexts(testTexts)
  const maySend = useRight('messages')
  const [open, setOpen] = useState(false)
  if (!maySend) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {t.open}
      </button>
      {open ? <SendTest {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
