# Comments of the headers as Doxygen reads them: whole lines before a declaration, and after a member on its line.
s|^( *)//( .*)?$|\1///\2|
s|([;,]) +// (.*)$|\1 ///< \2|
