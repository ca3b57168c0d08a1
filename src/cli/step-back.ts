/** Esc at a question: a person wants to answer the question before it again. */
export class StepBack extends Error {}
