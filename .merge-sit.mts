import {readFileSync, writeFileSync} from 'node:fs'
import ts from 'typescript'
const wrap=(words:string[],indent:string)=>{const lines:string[]=[];let line='';for(const [i,w] of words.entries()){const piece=w+(i<words.length-1?',':'');const width=108-indent.length
 if(line===''){line=piece}else if((line+' '+piece).length<=width){line+=' '+piece}else{lines.push(line);line=piece}}lines.push(line);return lines}
for(const file of ['src/cli/help/situations.ts','src/cli/help/money-situations.ts']){
 const text=readFileSync(file,'utf8');const sf=ts.createSourceFile(file,text,ts.ScriptTarget.Latest,true)
 const edits:{at:number,end:number,text:string}[]=[]
 const flat=(a:ts.ArrayLiteralExpression):string[]=>a.elements.flatMap(e=>{if(ts.isStringLiteral(e)){if(e.text.includes(',')||e.text.includes('`'))throw new Error(e.text);return [e.text]}
  if(ts.isSpreadElement(e)){if(ts.isArrayLiteralExpression(e.expression))return flat(e.expression);return ['${'+e.expression.getText()+'}']}
  throw new Error(e.getText())})
 const visit=(n:ts.Node)=>{
  if(ts.isPropertyAssignment(n)&&n.name.getText()==='phrases'&&ts.isObjectLiteralExpression(n.initializer)){
   const [en]=n.initializer.properties as any; if(n.initializer.properties.length!==1||en.name.getText()!=='en')throw new Error('lang')
   const words=flat(en.initializer as ts.ArrayLiteralExpression)
   const one=words.join(', ')
   const q=words.some(w=>w.includes('${'))||one.includes("'")
   const short=`phrases: ${q?'`':"'"}${one}${q?'`':"'"}`
   if(short.length<=104){edits.push({at:n.getStart(),end:n.end,text:short})}
   else edits.push({at:n.getStart(),end:n.end,text:'phrases: `\n'+wrap(words,'      ').map(l=>'      '+l).join('\n')+'`'})
   return}
  if(ts.isVariableDeclaration(n)&&n.name.getText()==='COUNTRIES'){
   let init=n.initializer!; if(ts.isAsExpression(init))init=init.expression
   const words=flat(init as ts.ArrayLiteralExpression)
   edits.push({at:n.initializer!.getStart(),end:n.initializer!.end,text:'`\n'+wrap(words,'  ').map(l=>'  '+l).join('\n')+'`'})
   return}
  ts.forEachChild(n,visit)}
 visit(sf)
 let out=text;for(const e of edits.sort((a,b)=>b.at-a.at))out=out.slice(0,e.at)+e.text+out.slice(e.end)
 writeFileSync(file,out)}
