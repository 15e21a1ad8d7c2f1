import { rules } from "./rules.js";

/** Forms that declare or steer; what stands first in them is no call. */
const SPECIAL = `"defun" "defmacro" "defvar" "defcustom" "defgroup" "defface" "defalias" "require" "provide" "cl-defun"
  "cl-defmethod" "cl-defgeneric" "cl-defmacro" "cl-defstruct" "define-minor-mode" "define-derived-mode" "ert-deftest"
  "defclass" "if" "when" "unless" "pcase" "dolist" "dotimes" "declare" "transient-define-prefix"`;

/** Emacs Lisp. */
export const elisp = rules(
  `
(function_definition name: (symbol) @name) @function
(macro_definition name: (symbol) @name) @macro
(special_form ["defvar" "defconst"] . (symbol) @name) @variable
(list . (symbol) @caller . (symbol) @name (#any-of? @caller "defcustom" "defvar-local" "defvar-keymap" "defface")) @variable
(list . (symbol) @caller . (symbol) @name (#any-of? @caller "cl-defun" "cl-defgeneric" "define-minor-mode"
  "define-derived-mode" "define-globalized-minor-mode" "cl-defsubst" "transient-define-prefix" "transient-define-suffix")) @function
(list . (symbol) @caller . (symbol) @name (#eq? @caller "cl-defmethod")) @method
(list . (symbol) @caller . (symbol) @name (#eq? @caller "cl-defmacro")) @macro
(list . (symbol) @caller . [(symbol) @name (list . (symbol) @name)] (#any-of? @caller "cl-defstruct" "defclass")) @class
(list . (symbol) @caller . (symbol) @name (#eq? @caller "defgroup")) @module
(list . (symbol) @caller . (symbol) @name (#eq? @caller "ert-deftest")) @test
(function_definition docstring: (string) @doc)
(macro_definition docstring: (string) @doc)
(function_definition parameters: (list (symbol) @ref.none))
(macro_definition parameters: (list (symbol) @ref.none))
(list . (symbol) @caller . (symbol) . (list . (symbol) @ref.none) (#any-of? @caller "cl-defun" "cl-defmethod" "ert-deftest"))
(list . (symbol) @caller . (list . (symbol) @ref.none) (#any-of? @caller "dolist" "dotimes" "cl-defstruct" "when-let" "if-let"))
(special_form ["let" "let*"] . (list . (list . (symbol) @ref.none)))
(special_form ["let" "let*"] . (list (list . (symbol) @ref.none)))
(special_form ["let" "let*"] . (list . (symbol) @ref.none))
(special_form "lambda" . (list (symbol) @ref.none))
(special_form "cond" (list . (symbol) @ref.none))
(quote (list . (symbol) @ref.none))
(quote (list (list . (symbol) @ref.none)))
(list . (symbol) @caller . (quote (symbol) @ref.import) (#eq? @caller "require"))
(list . (symbol) @ref.call (#not-any-of? @ref.call ${SPECIAL}))
`,
  { lineComments: [";;;###autoload", ";;;", ";;", ";"], blockComments: false },
);
