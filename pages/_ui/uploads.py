"""How large a file may be that is chosen in the browser, or found in a folder."""

LARGEST_MB = 200  # a whole project apart, which may be as large as the server takes (.streamlit/config.toml)
