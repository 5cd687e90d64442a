/** A button of a message that was pressed on the phone. */
import type { Button, Message, Step } from './entries.ts'

export interface Pressed {
  readonly button: Button
  readonly message: Message
  readonly step: Step
}
