import {flag, object, type Read, setting, text} from './value-types.ts'

const pointer = text(/^(?:\/[^/*]+)+$/, 'must be a JSON pointer such as /data')
/** `*` for every item of a list. */
const anyPointer = text(/^(?:\/[^/]+)+$/, 'must be a JSON pointer such as /error/code or /errors/*/code')

const errorMembers = {
  code: setting(anyPointer, {
    doc: "the service's own code, such as `/error/code` or `/errors/*/code`; known names are found without it",
    flag: flag('error-code', 'text', "JSON pointer to the service's own code in an error.", '/error/code'),
  }),
  message: setting(anyPointer, {
    doc: 'the text for people',
    flag: flag('error-message', 'text', 'JSON pointer to the text of an error.', '/error/message'),
  }),
  field: setting(anyPointer, {
    doc: 'the field that the error is about',
    flag: flag('error-field', 'text', 'JSON pointer to the field that an error is about.', '/errors/*/field'),
  }),
  status: setting(pointer, {
    doc: "the status of the response, which errors of the service repeat. With `code`, it tells the service's errors from those of a gateway ([What proves that nothing happened](idempotency.md#what-proves-that-nothing-happened))",
    flag: flag('error-status', 'text', 'JSON pointer to the status that an error repeats.', '/error/status'),
  }),
}

const members = {
  envelope: setting(pointer, {
    doc: 'where responses to built-in commands have their content: a JSON pointer such as `/data`',
    flag: flag('envelope', 'text', 'JSON pointer to the content of responses to built-in commands.', '/data'),
  }),
  error: setting(object(errorMembers), {doc: 'where errors have their parts: JSON pointers'}),
}

/** How the service talks, where neither the contract nor a document says so. */
export const serviceSetting = setting(object(members), {
  guarded: 'always',
  doc: 'how the service talks where it differs from the contract ([How your service talks](#how-your-service-talks))',
})

/** How the service talks, as stored. */
export type StoredService = Read<typeof members>
