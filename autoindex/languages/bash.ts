import { rules } from "./rules.js";

/** Bash and other POSIX shells. */
export const bash = rules(
  `
(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @variable)
(command name: (command_name (word) @caller) argument: (word) @ref.import (#any-of? @caller "source" "."))
(command name: (command_name (word) @ref.call))
`,
  { lineComments: ["#"], blockComments: false, capitalNames: "constant" },
);
