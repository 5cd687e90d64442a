import { en } from './en.ts'
import { ko } from './ko.ts'
import { defineTexts } from './texts.ts'

/** Texts of the frame and shared components. Each screen has its own `texts.ts`. */
export const shared = defineTexts(en, ko)
