export const ASKED_OF_PAGES_OF_SERVICES: Readonly<Record<string, string>> = {
  'dialects.md': `
    other service, other field names, other paths, map fields, adapt commands api, another service, minor
    units, field names differ, other json, cents instead euros, adapt, api different yours, translate fields,
    adapter, mapping api, another provider, vendor other endpoints, convert statuses, proprietary api,
    marqeta, integrate different card platform, other issuer, different backend, third party api, galileo,
    adyen, stripe issuing, foreign api, map operations, translate requests, vendor change, non standard
    service, other api ours, issuer uses different api, service not yours, another issuer, different rest api,
    other processor, vendor other urls, support different provider, our api is different, own paths, different
    url, fields called differently, adapt to our service, own dialect, custom bank api`,
  'dialects.md#Making one': `
    write dialect, draft dialect, generate mapping openapi, try dialect, check dialect against service, draft,
    dialect steps, new dialect, learn api, create mapping openapi file, steps adapt another service,
    generate draft`,
  'dialects.md#An operation': `
    map operation another path, request operation, cannot, map request, cannot operation, several requests,
    unsupported operation, service no such operation`,
  'dialects.md#A field': `
    convert value, status names service, amount cents, decimal text, jmespath dialect, minor, cents,
    minor units, date format, map status, nested pointer, list item, unit conversion, rename field,
    convert status, nested value`,
  'dialects.md#The webhook': `
    authorisation calls another format, other names webhook, webhook another provider, foreign webhook,
    other call format, map calls, authorisation message another shape, convert calls different service`,
  'dialects.md#What is refused, and what is not believed': `
    dialect refuses value, no place field, ids letters, id format, refused mapping, rounding, unsafe retry,
    dialect owner, no place value, value no translation, retry safe another service`,
  'imported-contracts.md': `
    openapi, swagger, own commands, commands api, import spec, openapi bank, own openapi, openapi file, extra
    operations service, custom endpoints, commands swagger, other resources, endpoints cardctl not know, own
    operations, add api, other parts service, invoices service, transactions card, list transactions, spend
    control, exchange rates, notifications, extend openapi, custom commands, generated commands, additional
    resources, own api, swagger cli, openapi commands, extend commands, more operations, transactions
    endpoint, invoices, customers endpoint, balance endpoint, missing operation, see transactions, command
    missing service, invoices transactions commands, generate command line specification, transactions
    customer, our own api description, commands from openapi, add our endpoints, yaml of api, generate
    commands`,
  'imported-contracts.md#Command names': `
    command called, operationId, two contracts same command, name command, duplicate command, tag,
    two documents same command`,
  'imported-contracts.md#Parameters and bodies': `
    upload file, multipart, form data, save pdf, download document, binary response, list parameter,
    object query, query parameter, template body, send file, pdf download, save response, form body,
    array parameter, object parameter, header parameter, xml body, send form, statement pdf, array query`,
  'imported-contracts.md#Effects': `
    post only reads, operation asks although reads, destroy, effects file, wrong effect, search post,
    treat read, dangerous get, mark read, get changes something`,
  'imported-contracts.md#Many rows': `
    bulk own operation, bulk imported operation, DESCRIPTION_CHANGED, bulk own api, csv x,
    mass run own operation, csv imported command`,
  'imported-contracts.md#Secrets, ids and personal data': `
    mask fields imported contract, personal data imported contract, hide field, token field id,
    national id number, x-sensitive, api key scheme, two credentials once, masked field, unmask field,
    wrongly masked, secret field, personal field, two keys, security scheme, id taken secret,
    mark field confidential, two api keys`,
  'imported-contracts.md#Lists': `
    pagination imported list, next page, cursor, all pages own list, has_more, next_cursor, link header,
    offset limit, list service ends too early, pagination, first page only, incomplete list, cursor api,
    get all pages`,
  'imported-contracts.md#Comparing the service with the document': `
    service follow openapi, drift between document service, live check, document versus service,
    backend follow document`,
  'imported-contracts.md#Names of the service': `
    map names, answers file, unsure names, rename pinBlock, words service, path prefix, unsure, answers.yaml,
    prefixes`,
  'agents.md': `
    AI, LLM, coding assistant, agent, MCP, chatbot, safe AI, assistant, model context protocol, ai agent,
    coding agent, claude, cursor, automation AI, prompt, tools, assistant run commands, IDE, connect copilot,
    gemini, codex, function calling, tool model, model production, llms.txt, prompt injection, text service
    prompt, agent writes become proposals, stop agent writing, give bot read access, robot user, autonomous
    agent, ai assistant, language model, copilot, gpt, chatgpt, ai read cards, ai instructions, chatbot access
    cards, llm, mcp, robot, let ai use, tool for model, ai safe`,
  'agents.md#Command lines': `
    tool one page model, describe every command data, machine readable help, llms.txt, agent instructions,
    system prompt, one page ai, prompt coding agent, all commands one page`,
  'agents.md#Tools of the Model Context Protocol': `
    mcp config, mcp json, mcpServers, tools cards_get, live reads agent, resources mcp,
    cursor next tool result, agent message too large, tools served, mcp server, claude json, prompt injection,
    untrusted text, tools list, model sees, config claude desktop, safe give model`,
}
